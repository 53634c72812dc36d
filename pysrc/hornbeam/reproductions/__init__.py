"""Published tables again: models and learners on data made here, beside the figures of the papers."""

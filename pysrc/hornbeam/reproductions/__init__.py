"""Published tables, reproduced: models and learners on our data, compared with the figures of the papers."""

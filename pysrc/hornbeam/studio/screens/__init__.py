"""The screens. Each module has `routes`, and a template of the same name."""

"""The web workbench: look at samples, edit a rule, see what changes."""

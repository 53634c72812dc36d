"""The neural reader of stories: which persons stand in which relation, sentence by sentence."""

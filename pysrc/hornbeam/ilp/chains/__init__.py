"""Neural-LP and DRUM: chains of relations, chosen by attention and learned by gradient descent."""

"""Relation tables, closure and answers over networks: what CLUTRR, GraphLog and STaR share."""

"""Tests of perception."""

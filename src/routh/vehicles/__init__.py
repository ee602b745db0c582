"""Vehicles made of parameters: a template, and two that are ready to drive."""

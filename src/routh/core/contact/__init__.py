"""Contacts: their frames and rows, the contact problem (A, b, mu), impacts of many contacts, compliant laws, tracks."""

"""What people see: the table as text and as a picture.

May import everything else of the package but its ``__init__``, and Antiquity's ``render``.
"""

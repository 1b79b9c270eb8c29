"""Runs emitted source text, unchanged, on arrays that hold terms, exact numbers or linear forms instead of floats.

The text is executed with `np` bound to a stand-in of NumPy (standin.py) whose arrays are Traced (arrays.py). What an array holds is
up to a domain: terms that the kernel judges (symbolic.py), exact numbers (exact.py), polynomials in named entries (forms.py).
"""

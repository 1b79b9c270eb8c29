"""The book. In a checkout its files lie in the top folder derivations/; a wheel carries them here."""

from pathlib import Path

_checkout = Path(__file__).resolve().parents[2] / "derivations"
if (_checkout / "definitions.py").is_file():
    __path__ = [str(_checkout)]

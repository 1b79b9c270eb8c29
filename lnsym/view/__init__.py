"""What every page shares: MathML, the embedded font, figures, the dependency map, the shell. Imports errors and standard library."""

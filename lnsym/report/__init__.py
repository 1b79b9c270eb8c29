"""The derivation report: one page model, printed as a page, as LaTeX and as a certificate. Imports nothing by itself."""

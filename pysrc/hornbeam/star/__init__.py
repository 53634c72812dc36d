"""STaR: qualitative reasoning about regions (RCC-8) and intervals (Allen), after Khalid and Schockaert (2024).

>>> from hornbeam.star.knowledge import load_calculus
>>> rcc8 = load_calculus("rcc8")
>>> rcc8.text(rcc8.compose(rcc8.parse("EC"), rcc8.parse("TPPI")))
'DC|EC'
"""

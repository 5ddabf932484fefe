"""paper.py: what weasyprint, which makes the PDFs, does not know, in words that it knows.

site/build and site/slides use it.
"""
import os
import re
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))


def boxes(text):
    """A page as weasyprint gets it: formulas as boxes (formula_style), lists with their numbers."""
    # A matrix has its brackets drawn by the style: weasyprint does not stretch them.
    text = re.sub(r'<mo [^>]*>\[</mo>(<mtable>.*?</mtable>)<mo [^>]*>\]</mo>', r'\1', text,
                  flags=re.S)
    # A list that begins at 3 does so by the style: weasyprint does not look at `start`.
    text = re.sub(r'<ol start="([0-9]+)"',
                  lambda m: f'{m[0]} style="counter-reset: list-item {int(m[1]) - 1}"', text)
    # A letter and the accent above it are one character, or the accent would stand beside it.
    return re.sub(r'<mover><mi>(\w)</mi><mo accent="true">(\W)</mo></mover>',
                  lambda m: f'<mi>{unicodedata.normalize("NFC", m[1] + m[2])}</mi>', text)


def formula_style():
    """The rules for formulas of style.css, between two of its comments."""
    with open(os.path.join(HERE, 'style.css'), encoding='utf-8') as file:
        rules = re.search(r'/\* Formulas on paper: .*?/\* End of formulas\. \*/', file.read(), re.S)
    return rules[0]

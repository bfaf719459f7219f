"""The tests of 7 Wonders: the rulings on kernels and referee alike, then the kernels part by part."""

"""``python -m antiquity.cli``."""

from antiquity.cli.main import main

main()

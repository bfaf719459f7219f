"""What can be learnt from games that were played: recording and replays, the page that shows one, and analysis.

May import everything from :mod:`antiquity.kernels` up to :mod:`antiquity.arena`. A batch knows nothing of replays.
"""

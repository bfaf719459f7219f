"""What a seat sees, remembers, cannot know and would do: observation, memory, determinization, greedy agent.

May import state, data and rules.
"""

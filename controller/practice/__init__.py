"""Practice: what a simulated table's players do, and what of it the judge has noticed. Pure: chance is a seed."""

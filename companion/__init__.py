"""The table companion: joins sight, rules, phones and things."""

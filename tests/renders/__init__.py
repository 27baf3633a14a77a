"""Development tool: labelled picture games of harder conditions."""

"""Sources of bytes, and the lines in them that are worth a look."""

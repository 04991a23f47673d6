"""Lines of text: what panels put together, without a widget of their own."""

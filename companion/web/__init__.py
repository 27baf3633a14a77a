"""The pages on everybody's phone and the server behind them."""

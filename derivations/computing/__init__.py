"""Chapter: computing the statistics, exactly where shards merge and rows are scaled, and with the errors of rounded arithmetic."""

TITLE = "Computing the statistics"
NUMBER = 10

"""The course, one file per lesson, found by scanning: each file has LESSON."""

"""The operations, by what they are about; the asynchronous ones are generated from these files."""

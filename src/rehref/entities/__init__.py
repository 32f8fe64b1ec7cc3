"""What encloses a document: files and folders. Documents are found here, read, and put back."""

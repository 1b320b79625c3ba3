// A thread that ends without an answer.

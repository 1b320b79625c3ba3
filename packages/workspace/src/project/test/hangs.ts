// A thread that never answers, as one that runs an expression without end.
for (;;);

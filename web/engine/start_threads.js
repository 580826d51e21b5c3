// Whoever starts a module with threads says how a worker is made, since Node and browsers differ.
var Worker = Module["Worker"];

// Tests find out where they are from the environment, and draw numbers by Node's crypto.
Module["crypto"] = require("crypto").webcrypto;
Module["preRun"] = function () { Object.assign(ENV, process.env); };

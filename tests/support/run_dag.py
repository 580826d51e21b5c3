"""Runs the DAG of a file by dag.test(); exit 1 unless it succeeds."""

import importlib.util
import sys

spec = importlib.util.spec_from_file_location("example", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
run = module.made.test()
print("state:", run.state)
sys.exit(0 if str(run.state).endswith("success") else 1)

#!/usr/bin/env node
// It stands here and not in dist, so that npm links it before anything is built.
import "../dist/pml.js";

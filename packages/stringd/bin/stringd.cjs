#!/usr/bin/env node
require('../dist/stringd.cjs')

/* Empty: tree-sitter brings its own C library subset; see ../README.md. */

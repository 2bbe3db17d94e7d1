//! What every use of a name means, across files.

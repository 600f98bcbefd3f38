//! The printed program. (in progress)

//! The engine: one program, one value, a verdict or problems. (in progress)

pub(crate) mod sink;

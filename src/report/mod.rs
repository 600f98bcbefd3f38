//! stub
#![allow(missing_docs)]
use crate::engine::sink::*;
use crate::program::Program;
use crate::value::*;
use std::ops::ControlFlow;
#[derive(Debug)]
pub struct Refusal {
    pub total: usize,
    pub list: Vec<(String, String)>,
}
#[derive(Default)]
pub struct Collector {
    list: Vec<(String, Problem)>,
}
impl<'v> Sink<'v> for Collector {
    const MODE: Mode = Mode::Report;
    fn problem(&mut self, path: &[Token<'v>], _: Identity, p: Problem) -> ControlFlow<()> {
        self.list.push((format!("{path:?}"), p));
        ControlFlow::Continue(())
    }
    fn cast(&mut self, _: Identity) {}
}
pub struct Found<'a>(&'a ());
pub struct Visitor;
impl Visitor {
    pub(crate) fn new<F: FnMut(&Found<'_>) -> ControlFlow<()>>(
        _: &Program,
        _: &serde_json::Value,
        _: F,
    ) -> Self {
        Visitor
    }
}
impl<'v> Sink<'v> for Visitor {
    const MODE: Mode = Mode::Report;
    fn problem(&mut self, _: &[Token<'v>], _: Identity, _: Problem) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn cast(&mut self, _: Identity) {}
}
pub(crate) fn unchecked<'v, I: Instance<'v>>(_: &Program, _: I) -> Refusal {
    Refusal { total: 1, list: vec![] }
}
pub(crate) fn refusal<'v, I: Instance<'v>>(p: &Program, _: I, c: &Collector, _: bool) -> Refusal {
    Refusal {
        total: c.list.len(),
        list: c
            .list
            .iter()
            .map(|(a, b)| {
                (
                    a.clone(),
                    format!(
                        "{:?} {}",
                        b.fault,
                        p.locations().render(p.site(b.instruction).location, p.site(b.instruction).keyword)
                    ),
                )
            })
            .collect(),
    }
}

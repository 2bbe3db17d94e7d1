//! Lists in types: shared, and most of them empty.

use std::ops::Deref;
use std::rc::Rc;

/// A list that costs little to clone; an empty one is nothing at all. (The empty `Arc` is one for the whole
/// process, and threads that count their uses of it wait for each other.)
#[derive(Debug)]
pub(crate) struct List<T>(Option<Rc<[T]>>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self((!items.is_empty()).then(|| items.into()))
    }
}

impl<T, const N: usize> From<[T; N]> for List<T> {
    fn from(items: [T; N]) -> Self {
        Self((N > 0).then(|| items.into()))
    }
}

impl<T: Clone> From<&[T]> for List<T> {
    fn from(items: &[T]) -> Self {
        Self((!items.is_empty()).then(|| items.into()))
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

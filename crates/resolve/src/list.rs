//! Lists in types: shared, and most of them empty.

use std::ops::Deref;
use std::rc::Rc;

/// A list that costs little to clone; an empty one is nothing at all. (The empty `Arc` is one for the whole
/// process, and threads that count their uses of it wait for each other.)
#[derive(Debug)]
pub(crate) struct SharedList<T>(Option<Rc<[T]>>);

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Clone for SharedList<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for SharedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<T: Clone> SharedList<T> {
    /// The list with what `change` gives for items; none if it gives nothing for any.
    pub(crate) fn changed(&self, change: impl Fn(&T) -> Option<T>) -> Option<Self> {
        let first = |(index, item)| Some((index, change(item)?));
        let (index, first) = self.iter().enumerate().find_map(first)?;
        let mut items = Vec::with_capacity(self.len());
        items.extend_from_slice(&self[..index]);
        items.push(first);
        let rest = self[index + 1..].iter();
        items.extend(rest.map(|item| change(item).unwrap_or_else(|| item.clone())));
        Some(items.into())
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        let is_shared = match (&self.0, &other.0) {
            (Some(own), Some(other)) => Rc::ptr_eq(own, other),
            _ => false,
        };
        is_shared || **self == **other
    }
}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(items: Vec<T>) -> Self {
        Self((!items.is_empty()).then(|| items.into()))
    }
}

impl<T, const N: usize> From<[T; N]> for SharedList<T> {
    fn from(items: [T; N]) -> Self {
        Self((N > 0).then(|| items.into()))
    }
}

impl<T: Clone> From<&[T]> for SharedList<T> {
    fn from(items: &[T]) -> Self {
        Self((!items.is_empty()).then(|| items.into()))
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

/// Adds what is not in a list yet.
pub(crate) fn push<T: PartialEq>(list: &mut Vec<T>, entry: T) {
    if !list.contains(&entry) {
        list.push(entry);
    }
}

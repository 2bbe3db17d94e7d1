//! Waits for two things at once.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll};

/// Begins both before it waits for either, and gives what comes of both.
///
/// Not from a library: `futures` brings its own wakers and combinators for many threads, and of all of it this is what a
/// handler needs.
pub(crate) async fn join<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let (mut of_a, mut of_b) = (None, None);
    poll_fn(move |cx: &mut Context<'_>| {
        if of_a.is_none()
            && let Poll::Ready(output) = a.as_mut().poll(cx)
        {
            of_a = Some(output);
        }
        if of_b.is_none()
            && let Poll::Ready(output) = b.as_mut().poll(cx)
        {
            of_b = Some(output);
        }
        match (of_a.take(), of_b.take()) {
            (Some(a), Some(b)) => Poll::Ready((a, b)),
            (a, b) => {
                (of_a, of_b) = (a, b);
                Poll::Pending
            }
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::task::Waker;

    use super::*;

    #[test]
    fn both_begin_before_one_ends_and_what_is_done_rests() {
        let polled = RefCell::new(Vec::new());
        let step = |number: u32| {
            let polled = &polled;
            let mut left = number;
            poll_fn(move |_| {
                polled.borrow_mut().push(number);
                match left {
                    0 => Poll::Ready(number),
                    _ => {
                        left -= 1;
                        Poll::Pending
                    }
                }
            })
        };
        let mut joined = Box::pin(join(step(2), step(1)));
        let mut context = Context::from_waker(Waker::noop());
        assert!(joined.as_mut().poll(&mut context).is_pending());
        assert_eq!(*polled.borrow(), [2, 1]);
        assert!(joined.as_mut().poll(&mut context).is_pending());
        assert_eq!(joined.as_mut().poll(&mut context), Poll::Ready((2, 1)));
        assert_eq!(*polled.borrow(), [2, 1, 2, 1, 2]);
    }
}

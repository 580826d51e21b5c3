/* The current call of each thread. */
#include "base/call.h"

#include "base/sys.h"

static _Thread_local const mgl_call *current;

const mgl_call *mgl_call_enter(const mgl_call *call)
{
    const mgl_call *before = current;
    current = call;
    return before;
}

void mgl_call_leave(const mgl_call *before)
{
    current = before;
}

const mgl_call *mgl_call_current(void)
{
    return current;
}

mgl_allocator mgl_call_allocator(void)
{
    const mgl_call *call = mgl_call_current();
    return call != NULL ? call->allocator : (mgl_allocator){0};
}

mgl_call mgl_call_anew(void)
{
    mgl_call call = current != NULL ? *current : (mgl_call){0};
    call.begun = mgl_sys_seconds();
    return call;
}

/* Inputs that may never come: who waits for one is told so, on stderr. */
#ifndef DEJANK_CLI_AWAIT_H
#define DEJANK_CLI_AWAIT_H

/* To be called before an input is opened, by path or "-". A pipe by name opens once
 * somebody writes to it: that is said at once. A terminal is said to be read where
 * nothing was typed or pasted for a second. Others are never waited for here. */
void dj_await_input(const char *path);

#endif

/* What our tracing instances are called: tracefs is one for the whole machine, so that a
 * name has to tell whose it is also where processes have numbers of their own (pid
 * namespaces, containers). Of this room only. */
#ifndef DEJANK_CAPTURE_INSTANCE_NAME_H
#define DEJANK_CAPTURE_INSTANCE_NAME_H

#include <stdbool.h>

enum { DJ_INSTANCE_NAME = 64 };

/* "dejank-PID-START-N", which is N of this process; in a pid namespace of its own
 * "dejank-PID-START-N-NAMESPACE". */
void dj_instance_name(char name[DJ_INSTANCE_NAME], unsigned number);

/* Whether it is one of ours whose process is no more. Of another namespace only the
 * machine's own one can tell. */
bool dj_instance_is_left(const char *name);

#endif

/* Force-included into every file of src/: calls that lose lengths, errors or the shell's
 * quoting do not compile. */
#ifndef DEJANK_BANNED_H
#define DEJANK_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#pragma GCC poison sprintf vsprintf strcpy strcat strtok atoi atol atoll atof gets       \
    system popen tmpnam mktemp

#endif

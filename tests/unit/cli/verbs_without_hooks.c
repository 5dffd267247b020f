/* The tables of all verbs need this function of dejank's own start (hooks_object.c). */
#include "cli/hooks_object.h"

bool dj_hooks_object_find(char object[PATH_MAX])
{
    object[0] = '\0';
    return false;
}

#ifndef DEJANK_BASE_COUNT_OF_H
#define DEJANK_BASE_COUNT_OF_H

/* The number of elements of an array; not of a pointer. A constant expression. */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif

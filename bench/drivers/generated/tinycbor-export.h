/* What tinycbor's build makes of its template: nothing is exported from a program. */
#ifndef CBOR_API
#define CBOR_API
#endif

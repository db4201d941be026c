package main

func Example() {
	main()
	// Output:
	// KEY
	// timer
}

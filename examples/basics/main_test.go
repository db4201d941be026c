package main

func Example() {
	main()
	// Output:
	// sum 42
	// ten milliseconds later 42
}
